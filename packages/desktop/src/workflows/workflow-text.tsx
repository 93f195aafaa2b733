// A workflow as text, in the editor and to read.
import type { RefObject } from 'react'
import { visibleText } from '../text/visible.ts'

interface Props {
  readonly label: string
  readonly value: string
  onChange(value: string): void
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly isInvalid: boolean
}

export function WorkflowTextArea({ label, value, onChange, area, isInvalid }: Props) {
  return (
    <textarea
      ref={area}
      aria-label={label}
      aria-invalid={isInvalid ? true : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      // Without wrapping, all lines have the same height.
      wrap="off"
      spellCheck={false}
      autoComplete="off"
      className="field h-[max(18rem,50dvh)] w-full resize-y font-mono text-[13px] leading-5"
    />
  )
}

export function WorkflowText({ label, text }: { label: string; text: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled with the keyboard.
      tabIndex={0}
      className="max-h-[60dvh] overflow-auto rounded-lg border border-line bg-sunken px-3 py-2"
    >
      <pre className="font-mono text-[13px] leading-5">{visibleText(text)}</pre>
    </section>
  )
}

/** Moves the cursor, and scrolls to it. */
export function moveCursor(area: HTMLTextAreaElement, offset: number, line: number): void {
  area.focus()
  area.setSelectionRange(offset, offset)
  const height = Number.parseFloat(getComputedStyle(area).lineHeight)
  area.scrollTop = Math.max(0, (line - 4) * height)
}
