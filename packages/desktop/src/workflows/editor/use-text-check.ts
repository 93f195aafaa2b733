import type { CommandResult } from '@tandem/contract/command'
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { useCommand } from '../../client/use-request.ts'

const pause_ms = 300

export type TextIssue = CommandResult<'workflow_read_text'>['issues'][number]

interface TextCheck {
  /** Null until the first answer. */
  readonly issues: readonly TextIssue[] | null
  /** The last one that had no problems. */
  readonly definition: WorkflowDefinition | null
}

/** The problems of a text, as soon as the user pauses. */
export function useTextCheck(text: string): TextCheck {
  const { clock } = useRuntimeClient()
  const [settled, setSettled] = useState(text)
  const [definition, setDefinition] = useState<WorkflowDefinition | null>(null)
  useEffect(() => clock.after(pause_ms, () => setSettled(text)), [clock, text])
  const { state: asked } = useCommand('workflow_read_text', { text: settled })
  const { issues, content } = asked.state === 'ready' ? asked.value : { issues: null, content: null }
  if (content !== null && content.definition !== definition) setDefinition(content.definition)
  return { issues, definition }
}
