import type { CommandParams } from '@tandem/contract/command'
import { useState } from 'react'
import { useDesk } from '../desk/use-desk.ts'
import { words } from '../strings/window.ts'

/** Saves a change of the settings; `said` tells that it was kept. A refusal is shown by the window. */
export function useSave() {
  const desk = useDesk()
  const [said, setSaid] = useState('')
  const save = async (change: CommandParams<'runtime_set_settings'>): Promise<boolean> => {
    setSaid('')
    const answer = await desk.ask(words.doing.settings, 'runtime_set_settings', change)
    if (!answer.ok) return false
    setSaid(words.saved)
    await Promise.all([desk.refreshLists(), desk.refreshStatus()])
    return true
  }
  return { save, said }
}
