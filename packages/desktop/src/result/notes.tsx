// Results about todos, answers of the user, and skills.
import type { AskUserOutput, SkillLoadOutput, TodosOutput } from '@tandem/contract/tool/output'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { LongText } from './long-text.tsx'

/** The todos after the call; they are edited in their own card. */
export function Todos({ todos }: TodosOutput) {
  if (todos.length === 0) return <p className="text-faint">{words.cards.noTodos}</p>
  return (
    <ul className="space-y-0.5">
      {todos.map(({ id, title, state, note }) => (
        <li key={id} className="flex items-baseline justify-between gap-4">
          <span className={`min-w-0 break-words ${state === 'completed' || state === 'canceled' ? 'text-faint line-through' : ''}`}>
            {visibleText(title)}
            {note !== undefined && <span className="block text-faint text-sm">{visibleText(note)}</span>}
          </span>
          <span className="shrink-0 text-faint text-sm">{stateWords[state] ?? visibleText(state)}</span>
        </li>
      ))}
    </ul>
  )
}

/** A newer version may have more states. */
const stateWords: Readonly<Record<string, string>> = words.todos.states

export function Answer({ chosen, text }: AskUserOutput) {
  return (
    <div className="space-y-1">
      {chosen.length > 0 && (
        <ul className="list-disc pl-5" aria-label={words.result.chosen}>
          {chosen.map((option) => (
            <li key={option}>{visibleText(option)}</li>
          ))}
        </ul>
      )}
      {text !== null && text !== '' && <p className="whitespace-pre-wrap break-words">{visibleText(text)}</p>}
    </div>
  )
}

export function Skill({ name, file, text, files }: SkillLoadOutput) {
  return (
    <div className="space-y-2">
      <p className="break-all font-mono text-[13px] text-cloud">{visibleText(file === null ? name : `${name}/${file}`)}</p>
      <LongText text={text} />
      {files.length > 0 && (
        <p className="wrap-anywhere text-faint text-sm">
          {words.result.files}: {visibleText(files.join(', '))}
        </p>
      )}
    </div>
  )
}
