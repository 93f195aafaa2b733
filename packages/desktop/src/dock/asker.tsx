// Which member of a team asks, and for which task.
import type { TeamMember } from '@tandem/contract/team'
import { conversationAddress, followLink } from '../address.ts'
import { teamWords } from '../strings/team.ts'
import { visibleName } from '../text/name.ts'

const told = teamWords.asks

export function Asker({ member: { agent_name, title, conversation_id } }: { member: TeamMember }) {
  const task = visibleName(title)
  return (
    <p data-asker className="mb-2 break-words text-sm">
      <span className="text-faint">{told.by}</span> <span className="font-medium">{visibleName(agent_name)}</span> {told.for(task)}{' '}
      <a
        href={conversationAddress(conversation_id)}
        onClick={followLink}
        aria-label={told.openOf(task)}
        className="ml-1 whitespace-nowrap text-cloud underline underline-offset-4"
      >
        {told.open}
      </a>
    </p>
  )
}
