interface Props {
  readonly label: string
  readonly value: boolean
  onChange(value: boolean): void
  /** Not shown, but read to users of screen readers. */
  readonly hidesLabel?: boolean
}

export function Switch({ label, value, onChange, hidesLabel = false }: Props) {
  return (
    <label className="flex w-fit cursor-pointer items-center gap-2.5 text-sm">
      <input
        type="checkbox"
        role="switch"
        aria-checked={value}
        checked={value}
        onChange={(event) => onChange(event.target.checked)}
        className="peer sr-only"
      />
      <span
        aria-hidden="true"
        className="relative h-5 w-9 shrink-0 rounded-full bg-line-strong after:absolute after:top-0.5 after:left-0.5 after:size-4 after:rounded-full after:bg-surface peer-checked:bg-cloud peer-checked:after:translate-x-4 peer-focus-visible:outline-2 peer-focus-visible:outline-(--focus) peer-focus-visible:outline-offset-2 motion-safe:after:transition-transform"
      />
      <span className={hidesLabel ? 'sr-only' : ''}>{label}</span>
    </label>
  )
}
