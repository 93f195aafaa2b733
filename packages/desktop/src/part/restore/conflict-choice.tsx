import type { ConflictChoice } from '@tandem/contract/checkpoint'
import { useId } from 'react'
import { recoveryWords } from '../../strings/recovery.ts'

export type ConflictDecision = Exclude<ConflictChoice, 'stop'>

/** Nothing is selected by default: either choice sets one version aside. */
export function ConflictChoices({
  count,
  value,
  onChange,
}: {
  count: number
  value: ConflictDecision | null
  onChange(value: ConflictDecision): void
}) {
  const name = useId()
  const { conflicts } = recoveryWords
  const choices = [
    { value: 'keep', label: conflicts.keep, hint: conflicts.keepHint },
    { value: 'overwrite', label: conflicts.overwrite, hint: conflicts.overwriteHint },
  ] as const
  return (
    <fieldset className="mb-4">
      <legend className="mb-2 font-medium">{conflicts.title(count)}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map((choice) => (
          <label key={choice.value} className="option">
            <input
              type="radio"
              name={name}
              checked={value === choice.value}
              onChange={() => onChange(choice.value)}
              className="mt-1.5 self-start accent-(--cloud)"
            />
            <span>
              {choice.label}
              <span className="block text-soft text-sm">{choice.hint}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
