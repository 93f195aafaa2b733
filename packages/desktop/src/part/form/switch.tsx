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
        className="relative h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full bg-control before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-surface checked:bg-cloud checked:before:translate-x-4 motion-safe:before:transition-transform"
      />
      <span className={hidesLabel ? 'sr-only' : ''}>{label}</span>
    </label>
  )
}
