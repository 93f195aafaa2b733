// A link to a run, at one of its calls or failures if one is named.
import type { ReactNode } from 'react'
import { callAddress, followLink } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { learningWords } from '../strings/learning.ts'
import { visibleName } from '../text/name.ts'

interface Props {
  readonly run_id: string
  readonly call_id?: string | null
  readonly step_id?: string
  readonly label?: string
  /** The title of the run if absent. */
  readonly children?: ReactNode
}

export function RunLink(props: Props) {
  const run = useWindowState((state) => state.runs.get(props.run_id))
  return run ? <Link {...props} {...run} /> : <ReadLink {...props} />
}

/** Old runs are not in the window's list. */
function ReadLink(props: Props) {
  const { state: asked } = useCommand('agent_run_get', { run_id: props.run_id })
  if (asked.state === 'ready') return <Link {...props} {...asked.value.run} />
  return <span className="text-faint">{asked.state === 'failed' ? learningWords.runGone : '…'}</span>
}

function Link({ conversation_id, title, call_id, step_id, label, children }: Props & { conversation_id: string; title: string }) {
  const part = { ...(call_id ? { call_id } : {}), ...(step_id === undefined ? {} : { step_id }) }
  return (
    <a
      href={callAddress(conversation_id, part)}
      onClick={followLink}
      aria-label={label}
      className="break-words text-cloud underline underline-offset-4"
    >
      {children ?? visibleName(title)}
    </a>
  )
}
