// Tries an agent in a new sample folder: the user's own files are not touched.
import { useState } from 'react'
import { goTo } from '../address.ts'
import { useDesk } from '../desk/use-desk.ts'
import { words } from '../strings/window.ts'

export function useSample() {
  const desk = useDesk()
  const [busy, setBusy] = useState(false)
  const begin = async () => {
    if (busy) return
    setBusy(true)
    const conversation_id = await start()
    setBusy(false)
    if (conversation_id !== null) goTo(`/c/${conversation_id}`)
  }
  async function start(): Promise<string | null> {
    const made = await desk.ask(words.tour.doing, 'workspace_make_sample', {})
    if (!made.ok) return null
    const { workspace } = made.value
    const begun = await desk.ask(words.doing.create, 'conversation_create', { title: words.tour.sample, workspace })
    if (!begun.ok) return null
    const { conversation_id } = begun.value.conversation
    desk.know(begun.value.conversation)
    // Opened before the run starts, so that no text is missed.
    desk.clock.after(5_000, desk.openThread(conversation_id))
    const run = await desk.ask(words.doing.start, 'agent_run_start', { conversation_id, text: words.tour.prompt })
    if (!run.ok) return null
    await desk.channel.call('runtime_set_settings', { tour: 'taken' })
    await desk.refreshLists()
    return conversation_id
  }
  return { busy, begin }
}
