import type { CommandParams } from '@tandem/contract/command'
import { useRuntimeClient } from '../../client/use-client.ts'
import { words } from '../../strings/window.ts'
import { type FormState, useForm } from './use-form.ts'

/** Saves a change of the settings. `form` shows that it was saved, or its errors. */
export function useSaveSettings(): { readonly form: FormState; save(change: CommandParams<'runtime_set_settings'>): Promise<boolean> } {
  const client = useRuntimeClient()
  const form = useForm({ doing: words.doing.settings })
  const save = async (change: CommandParams<'runtime_set_settings'>): Promise<boolean> => {
    const answer = await form.send(() => client.channel.call('runtime_set_settings', change), words.saved)
    if (answer.ok) await Promise.all([client.refreshLists(), client.refreshStatus()])
    return answer.ok
  }
  return { form, save }
}
