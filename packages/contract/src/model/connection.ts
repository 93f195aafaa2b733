// The results of a connection test: each in one sentence, with what helps.
import { type PresetName, presets } from './preset.ts'

export interface ConnectionFacts {
  /** Host and port; empty if there is no address. */
  readonly host: string
  readonly models: number
  readonly preset: PresetName
}

interface ConnectionRow {
  readonly works: boolean
  text(facts: ConnectionFacts): string
  remedy(facts: ConnectionFacts): string
}

const connectionRows = {
  reached: {
    works: true,
    text: ({ host, models }) => `${host} responds and offers ${models === 1 ? '1 model' : `${models} models`}.`,
    remedy: () => 'Choose a model.',
  },
  no_models: {
    works: true,
    text: ({ host }) => `${host} responds, but offers no models.`,
    remedy: ({ preset }) =>
      preset === 'ollama'
        ? 'Download one, for example with “ollama pull qwen3”.'
        : preset === 'lm_studio'
          ? 'Download a model in LM Studio.'
          : 'Add a model at the provider, or type its name.',
  },
  list_too_long: {
    works: true,
    text: ({ host }) => `${host} responds, but its list of models is too long to be shown.`,
    remedy: () => 'Type the name of the model.',
  },
  wrong_key: {
    works: false,
    text: ({ host }) => `${host} does not accept the key.`,
    remedy: ({ preset }) => keyRemedy(preset, 'Check the key, or create a new one'),
  },
  no_key: {
    works: false,
    text: ({ host }) => `${host} needs a key.`,
    remedy: ({ preset }) => keyRemedy(preset, 'Enter your key'),
  },
  refused: {
    works: false,
    text: ({ host }) => `Nothing responds at ${host}.`,
    remedy: ({ preset }) => presets[preset].start ?? 'Check the port, and that the server is running.',
  },
  no_such_host: {
    works: false,
    text: ({ host }) => `There is no host named ${host}.`,
    remedy: () => 'Check the spelling of the address and your network connection.',
  },
  unreachable: {
    works: false,
    text: ({ host }) => `${host} cannot be reached from this network.`,
    remedy: () => 'Check your network connection, VPN and firewall.',
  },
  not_a_model_server: {
    works: false,
    text: ({ host }) => `${host} responds, but has no list of models there.`,
    remedy: () => 'Check the path of the address; it often ends in /v1. If this server has no list, type the name of the model.',
  },
  tls: {
    works: false,
    text: ({ host }) => `The secure connection to ${host} failed.`,
    remedy: () => 'Check its certificate, or use http:// if it is a server in your own network.',
  },
  timeout: {
    works: false,
    text: ({ host }) => `${host} did not respond in time.`,
    remedy: () => 'Try again; check the address if it happens again.',
  },
  rate_limited: {
    works: false,
    text: ({ host }) => `${host} accepts no more requests at the moment.`,
    remedy: () => 'Wait a minute and try again.',
  },
  server_error: {
    works: false,
    text: ({ host }) => `${host} responds with an error of its own.`,
    remedy: () => 'Try again later.',
  },
  signed_out: {
    works: false,
    text: () => 'You are not signed in to an account.',
    remedy: () => 'Sign in first: the models of your account are then used.',
  },
  no_address: {
    works: false,
    text: () => 'No provider is configured.',
    remedy: () => 'Enter an address, or sign in to an account that offers models.',
  },
} as const satisfies Record<string, ConnectionRow>

export type ConnectionResult = keyof typeof connectionRows
export const connectionResults = Object.keys(connectionRows) as readonly ConnectionResult[]

export function isConnected(result: ConnectionResult): boolean {
  return connectionRows[result].works
}

/** One sentence about the result, and one about what helps. */
export function connectionText(result: ConnectionResult, facts: ConnectionFacts): { readonly message: string; readonly remedy: string } {
  const row: ConnectionRow = connectionRows[result]
  return { message: row.text(facts), remedy: row.remedy(facts) }
}

function keyRemedy(preset: PresetName, what: string): string {
  const { key_page } = presets[preset]
  return key_page === null ? `${what}.` : `${what} at ${key_page}.`
}
