// The model and the sandbox mode of a conversation: stored by the runtime, so that they stay after a reload and for its next runs. What was
// chosen for a conversation that has not started is kept in the window.
import { type SandboxMode, sandboxModes } from '@tandem/contract/tool'
import { useRef, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import type { CallError } from '../connection/channel.ts'
import { errorAt } from '../part/form/use-form.ts'
import { keepChoice, readChoice } from '../store/draft.ts'

/** Empty for what the agent or the device uses. */
interface Options {
  readonly model: string
  readonly mode: SandboxMode | ''
}

export interface RunOptions extends Options {
  /** While a name is being typed; `store` is called when it is complete. */
  typeModel(model: string): void
  /** Why the runtime did not accept it. It is shown where it was chosen; the focus stays where the user writes. */
  readonly problem: string | null
  /** What the start of a run must name. */
  ofStart(): StartOptions
  /** Resolves to why the runtime does not have what was chosen; null if it does. */
  store(changed?: Partial<Options>): Promise<CallError | null>
}

/** As the command that starts a run takes them. */
interface StartOptions {
  readonly model?: string
  readonly sandbox_mode?: SandboxMode
}

/** What was chosen and is not stored yet; absent options are unchanged. */
type Unsaved = Partial<Options>

export function useRunOptions(place: string, conversation_id: string | null): RunOptions {
  const client = useRuntimeClient()
  const stored = useWindowState((state) => state.conversations?.get(conversation_id ?? ''))
  const [unsaved, setUnsaved] = useState(() => readOptions(place))
  const [problem, setProblem] = useState<string | null>(null)
  const latest = useRef(unsaved)
  const shown = { model: unsaved.model ?? stored?.model ?? '', mode: unsaved.mode ?? stored?.sandbox_mode ?? '' } as const
  const change = (next: Unsaved) => {
    latest.current = next
    keepOptions(place, next)
    setUnsaved(next)
  }
  return {
    ...shown,
    ofStart: () => startOptions(conversation_id, shown),
    problem,
    typeModel(model) {
      setProblem(null)
      change({ ...latest.current, model })
    },
    async store(changed = {}) {
      change({ ...latest.current, ...changed })
      const sent = latest.current
      if (conversation_id === null) return null
      const params = paramsOf(sent)
      // Also if this window shows the same: another one may have stored something else meanwhile.
      if (Object.keys(params).length > 0) {
        const answer = await client.channel.call('conversation_set_run_options', { conversation_id, ...params })
        if (!answer.ok) {
          setProblem(errorAt(answer.error, 'model') ?? answer.error.message)
          return answer.error
        }
        setProblem(null)
        client.addConversation(answer.value.conversation)
      }
      // What was chosen meanwhile is stored by its own call.
      if (latest.current === sent) change({})
      return null
    },
  }
}

/** As parameters of a command. */
function paramsOf({ model, mode }: Unsaved): { model?: string | null; sandbox_mode?: SandboxMode | null } {
  return {
    ...(model === undefined ? {} : { model: model.trim() || null }),
    ...(mode === undefined ? {} : { sandbox_mode: mode || null }),
  }
}

/** A run of a conversation uses what is stored for it: what this window shows may be out of date. */
export function startOptions(conversation_id: string | null, { model, mode }: Options): StartOptions {
  if (conversation_id !== null) return {}
  return { ...(model.trim() ? { model: model.trim() } : {}), ...(mode ? { sandbox_mode: mode } : {}) }
}

const placesOf = (place: string) => ({ model: `${place}:model`, mode: `${place}:sandbox` })

function readOptions(place: string): Unsaved {
  const places = placesOf(place)
  const model = readChoice(places.model)
  const mode = sandboxModes.find((one) => one === readChoice(places.mode))
  return { ...(model === '' ? {} : { model }), ...(mode ? { mode } : {}) }
}

export function keepOptions(place: string, { model = '', mode = '' }: Unsaved): void {
  const places = placesOf(place)
  keepChoice(places.model, model)
  keepChoice(places.mode, mode)
}
