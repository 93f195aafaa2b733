// One conflict: the text before, what each side made of it with its author, and how to resolve it.
import type { ConflictChoice, ConflictResolution, MergeConflict } from '@tandem/contract/team'
import { useId } from 'react'
import { Badge } from '../part/badge.tsx'
import { teamWords } from '../strings/team.ts'
import { visibleName } from '../text/name.ts'
import { visibleInApproval } from '../text/visible.ts'

const told = teamWords.merge

interface Props {
  readonly conflict: MergeConflict
  readonly place: { readonly at: number; readonly all: number }
  /** The choice of the user, or of the arguments. */
  readonly resolution: ConflictResolution | null
  readonly isOpen: boolean
  onResolve(resolution: ConflictResolution): void
}

export function Conflict({ conflict, place: { at, all }, resolution, isOpen, onResolve }: Props) {
  const name = useId()
  const { conflict_id, kind, line, message, base, current, member, choices, resolved } = conflict
  const chosen = resolution?.use ?? resolved
  const choose = (use: ConflictChoice) =>
    onResolve(use === 'text' ? { conflict_id, use, text: resolution?.text ?? member.text ?? '' } : { conflict_id, use })
  return (
    <fieldset data-open={isOpen} className="min-w-0">
      <legend className="mb-1 flex flex-wrap items-baseline gap-x-3 font-medium">
        {told.conflict(at, all, line)}
        <Badge tone={isOpen ? 'warn' : 'good'}>{isOpen ? told.state.open : told.state.resolved}</Badge>
      </legend>
      <p className="mb-2 break-words text-soft">{message.trim() === '' ? told.kinds[kind] : visibleInApproval(message)}</p>
      <div className="grid gap-2 lg:grid-cols-3">
        <Side name="base" side={base} isChosen={false} />
        <Side name="current" side={current} isChosen={chosen === 'current' || chosen === 'both'} />
        <Side name="member" side={member} isChosen={chosen === 'member' || chosen === 'both'} />
      </div>
      <div className="mt-2 flex flex-wrap gap-1.5">
        {choices.map((choice) => (
          <label
            key={choice}
            className="relative cursor-pointer rounded-md border border-line-strong bg-surface px-2.5 py-1 text-[13.5px] hover:border-faint has-checked:border-ink has-checked:bg-ink has-checked:text-canvas has-focus-visible:outline-2 has-focus-visible:outline-(--focus) has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={choice}
              checked={chosen === choice}
              onChange={() => choose(choice)}
              className="sr-only"
            />
            {told.choices[choice]}
          </label>
        ))}
      </div>
      {resolution?.use === 'text' && (
        <textarea
          value={resolution.text ?? ''}
          onChange={(event) => onResolve({ conflict_id, use: 'text', text: event.target.value })}
          rows={Math.min(12, (resolution.text ?? '').split('\n').length + 1)}
          spellCheck={false}
          aria-label={told.ownText(at)}
          className="field mt-2 w-full font-mono text-[13px]"
        />
      )}
    </fieldset>
  )
}

interface SideProps {
  readonly name: keyof typeof told.sides
  readonly side: MergeConflict['base']
  readonly isChosen: boolean
}

function Side({ name, side: { author, text, truncated }, isChosen }: SideProps) {
  const label = told.side(told.sides[name], author === null ? null : visibleName(author))
  return (
    <div className="min-w-0">
      <p className="mb-0.5 break-words text-faint text-xs">{label}</p>
      {text === null || text === '' ? (
        <p className="output-box text-faint italic">{text === null ? told.noText : told.emptyText}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        <pre dir="ltr" tabIndex={0} className={`output-box max-h-48 ${isChosen ? 'outline-2 outline-(--good)' : ''}`}>
          {visibleInApproval(text)}
        </pre>
      )}
      {truncated && <p className="text-warn text-xs">{told.cutSide}</p>}
    </div>
  )
}
