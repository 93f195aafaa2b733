// Tries an agent in a new sample folder: the user's own files are not touched.
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { goToComposer } from '../part/composer-focus.ts'
import { words } from '../strings/window.ts'

export function useSample() {
  const client = useRuntimeClient()
  const [busy, setBusy] = useState(false)
  const begin = async () => {
    if (busy) return
    setBusy(true)
    const conversation_id = await start()
    setBusy(false)
    if (conversation_id !== null) goToComposer(`/c/${conversation_id}`)
  }
  async function start(): Promise<string | null> {
    const made = await client.call(words.tour.doing, 'workspace_make_sample', {})
    if (!made.ok) return null
    const { workspace } = made.value
    const begun = await client.call(words.doing.create, 'conversation_create', { title: words.tour.sample, workspace })
    if (!begun.ok) return null
    const { conversation_id } = begun.value.conversation
    client.addConversation(begun.value.conversation)
    // Opened before the run starts, so that no text is missed.
    client.clock.after(5_000, client.openThread(conversation_id))
    const run = await client.call(words.doing.start, 'agent_run_start', { conversation_id, text: words.tour.prompt })
    if (!run.ok) return null
    await client.channel.call('runtime_set_settings', { tour: 'taken' })
    await client.refreshLists()
    return conversation_id
  }
  return { busy, begin }
}
