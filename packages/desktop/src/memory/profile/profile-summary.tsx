// The most important thing of each part of what is known about the user.
import type { UserModel } from '@tandem/contract/memory'
import { useCommand, useNewestEventNumber } from '../../client/use-request.ts'
import { RequestResult } from '../../part/request-result.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleText } from '../../text/visible.ts'
import { memoryEvents } from '../memory-events.ts'
import { type ProfilePart, partsOf } from './profile-parts.ts'

const told = memoryWords.profile

export function ProfileSummary({ agent_id }: { agent_id: string }) {
  const model = useCommand('memory_get_user_model', { agent_id }, { version: useNewestEventNumber(memoryEvents) })
  return <RequestResult reading={model}>{({ user_model }) => <Summary model={user_model} />}</RequestResult>
}

function Summary({ model }: { model: UserModel }) {
  const lines = linesOf(model)
  if (lines.length === 0) return <p className="text-faint">{told.empty}</p>
  return (
    <ul className="space-y-1">
      {lines.map(([name, value]) => (
        <li key={name} className="line-clamp-2 break-words">
          <span className="text-faint">{told.parts[name]}:</span> {visibleText(value)}
        </li>
      ))}
    </ul>
  )
}

/** A statement may belong to several parts, and is shown once. */
function linesOf(model: UserModel): readonly (readonly [ProfilePart['name'], string])[] {
  const shown = new Set<string>()
  return partsOf(model).flatMap(({ name, summary, signals }) => {
    const value = (signals.length > 0 ? signals.map((signal) => signal.value) : [summary]).find((one) => !shown.has(one))
    if (value === undefined) return []
    shown.add(value)
    return [[name, value] as const]
  })
}
