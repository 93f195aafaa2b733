import { type ReactNode, useId } from 'react'

interface Props {
  readonly label: string
  readonly value: string | number
  onChange(value: string): void
  /** The options. */
  readonly children: ReactNode
  /** Below the field. */
  readonly hint?: string
  /** The name of the setting, by which the palette finds the field. */
  readonly setting?: string
  /** How wide the field is; as wide as its longest option by default. */
  readonly className?: string
}

/** A choice of one, with its label above it as in `TextField`. */
export function SelectField({ label, value, onChange, children, hint = '', setting, className = '' }: Props) {
  const id = useId()
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-soft text-sm">
        {label}
      </label>
      <select
        id={id}
        data-field={setting}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`field max-w-full ${className}`}
      >
        {children}
      </select>
      {hint !== '' && <p className="mt-1 text-faint text-sm">{hint}</p>}
    </div>
  )
}
