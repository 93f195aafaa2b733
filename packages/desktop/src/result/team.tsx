// Results about members of a team. Their answers are texts of other agents.
import type { AgentMergeOutput, AgentSpawnOutput, MemberResult } from '@tandem/contract/tool/output'
import { Badge, type Tone } from '../part/badge.tsx'
import { SmallFold } from '../part/fold.tsx'
import { runTones } from '../part/state-tones.ts'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'
import { JsonTree } from './json-tree.tsx'
import { LongText } from './long-text.tsx'

const told = teamWords.result
const mostPaths = 200

export function DelegatedResult(member: MemberResult) {
  return (
    <div className="space-y-2">
      <MemberHead {...member} />
      {member.failure && <p className="break-words text-bad">{visibleSentence(member.failure.message)}</p>}
      {member.answer === null ? <p className="text-faint">{told.noAnswer}</p> : <LongText text={member.answer} />}
      {member.answer_truncated && <p className="text-faint text-sm">{told.truncated}</p>}
      {member.output !== null && (
        <section aria-label={told.output}>
          <JsonTree value={parsed(member.output)} />
        </section>
      )}
      {member.output_problem !== null && <p className="break-words text-warn">{visibleText(told.outputProblem(member.output_problem))}</p>}
      {member.open_questions.length > 0 && (
        <section>
          <p className="text-faint text-sm">{told.questions}</p>
          <ul className="list-disc pl-5">
            {member.open_questions.map((question) => (
              <li key={question} className="break-words">
                {visibleText(question)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Changed paths={member.changed.map(({ path, change }) => ({ path, change, note: '' }))} more={member.more_changed} />
    </div>
  )
}

export function StartedMembers({ members }: AgentSpawnOutput) {
  return (
    <ul aria-label={told.members} className="space-y-1">
      {members.map(({ run_id, title, workspace }) => (
        <li key={run_id} className="break-words">
          {visibleName(title)} <span className="text-faint text-sm">{workspaceWords[workspace] ?? visibleText(workspace)}</span>
        </li>
      ))}
    </ul>
  )
}

export function MergedWork({ members, changed, more_changed, conflicts_resolved, notes }: AgentMergeOutput) {
  const paths = changed.map(({ path, change, from, authors }) => ({
    path,
    change,
    note: [...(from === null ? [] : [told.from(from)]), ...(authors.length === 0 ? [] : [teamWords.merge.by(authors.join(', '))])].join(
      ' ',
    ),
  }))
  return (
    <div className="space-y-3">
      <Changed paths={paths} more={more_changed} />
      {notes.map((note) => (
        <p key={note} className="break-words text-warn">
          {visibleText(note)}
        </p>
      ))}
      {conflicts_resolved > 0 && <p className="text-soft">{told.conflicts(conflicts_resolved)}</p>}
      {members.map((member) => (
        <div key={member.run_id}>
          <MemberHead {...member} />
          {member.answer !== null && (
            <SmallFold summary={words.cards.kinds.ToolResult}>{() => <LongText text={member.answer ?? ''} />}</SmallFold>
          )}
        </div>
      ))}
    </div>
  )
}

function MemberHead({ title, state, input_tokens, output_tokens, turns }: MemberResult) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2.5">
      <span className="min-w-0 break-words font-medium">{visibleName(title)}</span>
      <Badge tone={tones[state] ?? 'plain'}>{stateWords[state] ?? visibleText(state)}</Badge>
      <span className="text-faint text-sm">{told.used(input_tokens, output_tokens, turns)}</span>
    </p>
  )
}

function Changed({ paths, more }: { paths: readonly { path: string; change: string; note: string }[]; more: number }) {
  const left = Math.max(0, paths.length - mostPaths) + more
  if (paths.length + more === 0) return null
  return (
    <div>
      <p className="text-faint text-sm">{told.changed(paths.length + more)}</p>
      <ul className="font-mono text-[13px] leading-6">
        {paths.slice(0, mostPaths).map(({ path, change, note }) => (
          <li key={path} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <bdi className="min-w-0 break-all">{visibleText(path)}</bdi>
            <span className="min-w-0 break-words font-sans text-faint">
              {changeWords[change] ?? visibleText(change)} {visibleText(note)}
            </span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className="text-faint text-sm">{told.more(left)}</p>}
    </div>
  )
}

/** A newer version may have others. */
const changeWords: Readonly<Record<string, string>> = teamWords.merge.changes
const stateWords: Readonly<Record<string, string>> = words.cards.run
const workspaceWords: Readonly<Record<string, string>> = teamWords.members.workspaces
const tones: Readonly<Record<string, Tone>> = runTones

/** A model wrote it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
