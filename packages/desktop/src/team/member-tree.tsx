// The members of a team, each below the one that started it.
import { type MemberNode, memberTree, type TeamMember } from '@tandem/contract/team'
import { Panel, Section } from '../part/section.tsx'
import { teamWords } from '../strings/team.ts'
import { MemberRow } from './member-row.tsx'

export function MemberTree({ members }: { members: readonly TeamMember[] }) {
  return (
    <Section title={teamWords.members.title} lead={teamWords.members.lead}>
      <Panel className="overflow-hidden">
        <Branch nodes={memberTree(members)} label={teamWords.members.tree} />
      </Panel>
    </Section>
  )
}

function Branch({ nodes, label }: { nodes: readonly MemberNode[]; label?: string }) {
  return (
    <ul aria-label={label} className={label === undefined ? 'ml-3 border-line border-l sm:ml-6' : ''}>
      {nodes.map(({ member, children }) => (
        <li key={member.run_id} className="border-line border-t first:border-t-0">
          <MemberRow member={member} />
          {children.length > 0 && <Branch nodes={children} />}
        </li>
      ))}
    </ul>
  )
}
