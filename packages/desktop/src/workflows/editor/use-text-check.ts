import type { CommandResult } from '@tandem/contract/command'
import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { useCommand } from '../../client/use-request.ts'

const pause_ms = 300

export type TextIssue = CommandResult<'workflow_read_text'>['issues'][number]

/** The problems of a text, as soon as the user pauses; null until the first answer. */
export function useTextCheck(text: string): { readonly issues: readonly TextIssue[] | null; readonly isCurrent: boolean } {
  const { clock } = useRuntimeClient()
  const [settled, setSettled] = useState(text)
  useEffect(() => clock.after(pause_ms, () => setSettled(text)), [clock, text])
  const { state: asked } = useCommand('workflow_read_text', { text: settled })
  return { issues: asked.state === 'ready' ? asked.value.issues : null, isCurrent: settled === text }
}
