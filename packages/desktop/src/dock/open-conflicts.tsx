import type { OpenConflicts as Conflicts } from '@tandem/contract/team'
import { teamWords } from '../strings/team.ts'

const told = teamWords.merge

/** Why a merge cannot be approved yet. */
export function OpenConflicts({ conflicts: { listed, unlisted } }: { conflicts: Conflicts }) {
  const isOpen = listed.length + unlisted > 0
  return (
    <p role="status" className={`w-full text-sm ${isOpen ? 'text-warn' : 'text-good'}`}>
      {listed.length > 0 && told.open(listed.length)} {unlisted > 0 && told.unlisted(unlisted)}
      {!isOpen && told.resolved}
    </p>
  )
}
