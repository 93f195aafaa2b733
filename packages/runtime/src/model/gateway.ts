// The models of the cloud that the user is signed in to, used while no other model is configured.
import type { ModelList } from '@tandem/contract/llm'
import type { Account } from '../account/account.ts'
import type { ProvidedModels } from './models.ts'

export interface Gateway {
  /** Null while signed out. */
  models(): ProvidedModels | null
  /** Resolves when the default model of the cloud is known, or not needed. */
  ready(): Promise<void>
  /** Requests the list again: the models of a cloud may have changed. */
  refresh(): Promise<void>
}

export interface GatewayPorts {
  readonly account: Pick<Account, 'who' | 'token' | 'call'>
  /** The model that the user chose. */
  chosen(): string | null
  /** The last default model of each cloud, so that a start need not ask. */
  readonly kept: { read(cloud_url: string): string | null; write(cloud_url: string, model: string): void }
}

export function openGateway({ account, chosen, kept }: GatewayPorts): Gateway {
  let asking: Promise<void> | null = null

  async function ask(): Promise<void> {
    const asked = account.who()?.cloud_url
    const answer = await account.call<ModelList>({ method: 'GET', path: '/api/v1/llm/models', timeout_ms: 10_000 })
    const model = answer.kind === 'ok' ? usual(answer.body) : null
    if (model !== null && asked !== undefined && asked === account.who()?.cloud_url) kept.write(asked, model)
  }

  function refresh(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }

  /** A call that is retried may outlive the session it started with: the token of another cloud must not be used. */
  async function tokenFor(cloud_url: string): Promise<string | null> {
    if (account.who()?.cloud_url !== cloud_url) return null
    const token = await account.token()
    return account.who()?.cloud_url === cloud_url ? token : null
  }

  return {
    models() {
      const cloud_url = account.who()?.cloud_url
      if (cloud_url === undefined) return null
      return { base_url: `${cloud_url}/api/v1/llm`, default_model: chosen() ?? kept.read(cloud_url), key: () => tokenFor(cloud_url) }
    },
    async ready() {
      const who = account.who()
      if (who && chosen() === null && kept.read(who.cloud_url) === null) await refresh()
    },
    refresh,
  }
}

/** The first chat model that is not a demo; the demo if there is nothing else. */
function usual({ data }: ModelList): string | null {
  const talking = data.filter(({ dialects }) => dialects.includes('openai'))
  return (talking.find(({ id }) => !id.startsWith('demo/')) ?? talking[0])?.id ?? null
}
