import { useId } from 'react'

interface Props {
  readonly label: string
  readonly value: string
  onChange(value: string): void
  readonly hint?: string
  readonly rows?: number
  readonly type?: 'text' | 'password' | 'url' | 'number'
  readonly mono?: boolean
}

export function TextField({ label, value, onChange, hint, rows, type = 'text', mono = false }: Props) {
  const id = useId()
  const look = `field w-full ${mono ? 'font-mono text-[13px]' : ''}`
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
          onChange={(event) => onChange(event.target.value)}
          placeholder={hint}
          autoComplete="off"
          spellCheck={false}
          className={look}
        />
      ) : (
        <textarea
          id={id}
          rows={rows}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          placeholder={hint}
          className={look}
        />
      )}
    </div>
  )
}
