// A link to the conversation of a run: its approvals and questions are answered there.
import { followLink } from '../../address.ts'
import { useWindowState } from '../../client/use-client.ts'
import { useCommand } from '../../client/use-request.ts'

interface Props {
  readonly run_id: string
  readonly text: string
  readonly label?: string
}

export function ConversationLink(props: Props) {
  const conversation_id = useWindowState((state) => state.runs.get(props.run_id)?.conversation_id)
  return conversation_id === undefined ? <ReadLink {...props} /> : <Link {...props} conversation_id={conversation_id} />
}

/** Old runs are not in the window's list. */
function ReadLink(props: Props) {
  const { state: asked } = useCommand('agent_run_get', { run_id: props.run_id })
  return asked.state === 'ready' ? <Link {...props} conversation_id={asked.value.run.conversation_id} /> : null
}

function Link({ text, label, conversation_id }: Props & { readonly conversation_id: string }) {
  return (
    <a
      href={`/c/${encodeURIComponent(conversation_id)}`}
      onClick={followLink}
      aria-label={label}
      className="whitespace-nowrap text-cloud underline underline-offset-4"
    >
      {text}
    </a>
  )
}
