import type { CSSProperties } from 'react'

interface Props<Kind extends string> {
  readonly label: string
  readonly kinds: readonly Kind[]
  readonly hidden: ReadonlySet<Kind>
  onToggle(kind: Kind): void
  nameOf(kind: Kind): string
  /** How this kind looks in the picture. */
  lookOf?(kind: Kind): Pick<CSSProperties, 'background' | 'clipPath'>
}

/** Shows and hides kinds of entries, and is the legend of the picture. */
export function KindToggles<Kind extends string>({ label, kinds, hidden, onToggle, nameOf, lookOf }: Props<Kind>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-faint text-sm">{label}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {kinds.map((kind) => (
          <label key={kind} className="flex cursor-pointer items-center gap-1.5 py-0.5 text-sm">
            <input type="checkbox" checked={!hidden.has(kind)} onChange={() => onToggle(kind)} className="accent-(--cloud)" />
            {lookOf && <span aria-hidden="true" className="size-3 rounded-full" style={lookOf(kind)} />}
            {nameOf(kind)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
