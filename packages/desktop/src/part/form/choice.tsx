// Selects one of a few options: radio buttons that look like one control.
import { useId } from 'react'

interface Props<Value extends string> {
  readonly label: string
  readonly values: readonly Value[]
  readonly value: NoInfer<Value>
  onChange(value: NoInfer<Value>): void
  /** The label of each option; the value itself by default. */
  nameOf?(value: NoInfer<Value>): string
  readonly mono?: boolean
}

export function Choice<Value extends string>({ label, values, value, onChange, nameOf = String, mono = true }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-faint text-sm">{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        {values.map((one) => (
          <label
            key={one}
            className={`relative cursor-pointer rounded-md border border-line-strong bg-surface px-2.5 py-1 text-[13.5px] hover:border-faint has-checked:border-ink has-checked:bg-ink has-checked:text-canvas has-focus-visible:outline-2 has-focus-visible:outline-(--focus) has-focus-visible:outline-offset-2 ${mono ? 'font-mono' : ''}`}
          >
            <input type="radio" name={name} value={one} checked={one === value} onChange={() => onChange(one)} className="sr-only" />
            {nameOf(one)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
