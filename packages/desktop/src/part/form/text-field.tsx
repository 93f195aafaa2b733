import { useId } from 'react'
import { FieldError } from './form.tsx'
import { useField } from './use-form.ts'

interface Props {
  readonly label: string
  readonly value: string
  onChange(value: string): void
  /** The name of the parameter of the form's command; its error is shown below the field. */
  readonly field?: string
  readonly hint?: string
  readonly rows?: number
  readonly type?: 'text' | 'password' | 'url' | 'number'
  readonly mono?: boolean
  readonly autoComplete?: 'off' | 'current-password' | 'new-password'
  /** For the first field of a form that the user just opened. */
  readonly autoFocus?: boolean
}

export function TextField({
  label,
  value,
  onChange,
  field,
  hint,
  rows,
  type = 'text',
  mono = false,
  autoComplete = 'off',
  autoFocus = false,
}: Props) {
  const id = useId()
  const { error, errorId, input, onEdit } = useField(field)
  const look = `field w-full ${mono ? 'font-mono text-[13px]' : ''}`
  const change = (next: string) => {
    onEdit()
    onChange(next)
  }
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-soft text-sm">
        {label}
      </label>
      {rows === undefined ? (
        <input
          id={id}
          type={type}
          value={value}
          onChange={(event) => change(event.target.value)}
          placeholder={hint}
          title={hint}
          autoComplete={autoComplete}
          // biome-ignore lint/a11y/noAutofocus: the user just opened the form.
          autoFocus={autoFocus}
          spellCheck={false}
          className={look}
          {...input}
        />
      ) : (
        <textarea
          id={id}
          rows={rows}
          value={value}
          onChange={(event) => change(event.target.value)}
          placeholder={hint}
          // biome-ignore lint/a11y/noAutofocus: the user just opened the form.
          autoFocus={autoFocus}
          className={look}
          {...input}
        />
      )}
      <FieldError id={errorId} error={error} />
    </div>
  )
}
