// Members of a team that a restore withdraws: they are paused, and what they changed in the shared folder is restored or kept.
import type { WithdrawnChoice, WithdrawnMember } from '@tandem/contract/team'
import { useId } from 'react'
import { Panel } from '../part/section.tsx'
import { MemberBadge } from '../part/team/member-badge.tsx'
import { recoveryWords } from '../strings/recovery.ts'
import { visibleName } from '../text/name.ts'

interface Props {
  readonly members: readonly WithdrawnMember[]
  readonly choice: WithdrawnChoice
  onChoose(choice: WithdrawnChoice): void
}

export function WithdrawnMembers({ members, choice, onChoose }: Props) {
  const title = useId()
  if (members.length === 0) return null
  const { members: words } = recoveryWords
  const restorable = members.filter(({ checkpoint_id, changed_paths }) => checkpoint_id !== null && changed_paths > 0)
  return (
    <section aria-labelledby={title} className="mb-6">
      <h2 id={title} className="font-semibold">
        {words.title}
      </h2>
      <p className="mb-2 text-soft text-sm">{words.lead}</p>
      {restorable.length > 0 && (
        <label className="mb-2 flex items-baseline gap-2.5">
          <input
            type="checkbox"
            checked={choice === 'restore'}
            onChange={() => onChoose(choice === 'restore' ? 'keep' : 'restore')}
            className="accent-(--cloud)"
          />
          {words.restore(restorable.reduce((sum, { changed_paths }) => sum + changed_paths, 0))}
        </label>
      )}
      <Panel className="overflow-hidden">
        <ul className="divide-y divide-line">
          {members.map((member) => (
            <li key={member.run_id} data-withdrawn className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5">
              <span className="min-w-0 break-words">{visibleName(member.title)}</span>
              <MemberBadge state={member.state} pause_reason={null} />
              <span className="text-faint text-sm">{words.changed(member.changed_paths)}</span>
              {member.changed_paths > 0 && member.checkpoint_id === null && (
                <span className="text-faint text-sm">{words.why[member.workspace]}</span>
              )}
            </li>
          ))}
        </ul>
      </Panel>
    </section>
  )
}
