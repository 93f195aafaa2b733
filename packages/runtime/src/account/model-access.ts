// Which model is used: the one in the settings, the one in the environment, or the one included with the account.
import type { Clock } from '../clock/clock.ts'
import { knownAddress } from '../model/address.ts'
import { type ContextWindow, contextWindowOf, parseTokenSetting } from '../model/context-window.ts'
import type { Model } from '../model/model.ts'
import { openModels, type ProvidedModels } from '../model/models.ts'
import type { DeviceSettings } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'
import { type AccountAccess, openAccountAccess } from './account-access.ts'

export interface ModelAccess extends AccountAccess {
  /** The model of this name; null if no configured address serves it. */
  modelFor(name: string): { readonly model: Model; window(): Promise<ContextWindow> } | null
  /** The models at the address in use; null while there is none. */
  current(): Model | null
  defaultModel(): string | null
  /** The address in use; null if there is none. */
  known(): { readonly base_url: string; readonly default_model: string | null } | null
  /** With its key, for requests that are not turns. */
  addressInUse(): { readonly base_url: string; key(): Promise<string | null> } | null
  /** That of the account, also while another one is configured; null while no one offers one. */
  offeredAddress(): ProvidedModels | null
  /** The context window of a model, even if no provider serves it now. */
  contextTokens(model: string): Promise<number>
  /** Loads the models of the account, if they are needed. */
  ready(): Promise<void>
  /** Models to use while none is configured. */
  offer(models: ProvidedModels): void
  close(): void
}

export interface ModelAccessPorts {
  readonly store: Store
  readonly clock: Clock
  readonly settings: Pick<DeviceSettings, 'read' | 'modelKey'>
  readonly environment: Readonly<Record<string, string | undefined>>
  log(line: string): void
}

export function openModelAccess({ store, clock, settings, environment, log }: ModelAccessPorts): ModelAccess {
  const address = () => {
    const { model_base_url, default_model } = settings.read()
    return knownAddress({ base_url: model_base_url, key: settings.modelKey(), default_model }, environment)
  }
  const chosenModel = () => settings.read().default_model ?? (environment.TANDEM_MODEL || null)
  const signedIn = openAccountAccess({ store, clock, chosenModel, log })
  const models = openModels(address, clock, signedIn.gateway.models)
  const known = () => address() ?? models.offered()
  const setTokens = () => settings.read().model_context_window ?? parseTokenSetting(environment.TANDEM_MODEL_WINDOW)
  const modelFor: ModelAccess['modelFor'] = (name) => {
    const model = models.current()
    return model && { model, window: () => model.contextWindow(name, setTokens()) }
  }
  return {
    ...signedIn,
    modelFor,
    current: models.current,
    defaultModel: () => known()?.default_model ?? null,
    known,
    addressInUse() {
      const set = address()
      return set ? { base_url: set.base_url, key: async () => set.key } : models.offered()
    },
    offeredAddress: models.offered,
    async contextTokens(name) {
      const window = await modelFor(name)?.window()
      return (window ?? contextWindowOf(name, { setting: setTokens(), listed: null })).tokens
    },
    async ready() {
      if (!address()) await signedIn.gateway.ready()
    },
    offer: models.offer,
    close: models.close,
  }
}
