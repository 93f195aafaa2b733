// A diff: side by side if there is space, otherwise unified. Signs and numbers show what colors show.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { words } from '../strings/window.ts'
import { visibleInApproval } from '../text/visible.ts'
import { type DiffLine, type DiffRow, diffRows, pairedRows } from './diff-rows.ts'

const roomForTwo = 760
const mostAtFirst = 80

export function SideBySide({ diff, label }: { diff: string; label: string }) {
  const box = useRef<HTMLElement>(null)
  const [isWide, setWide] = useState(false)
  const [most, setMost] = useState(mostAtFirst)
  useEffect(() => {
    if (!box.current) return
    const watch = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= roomForTwo))
    watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  const rows = diffRows(diff)
  const shown = isWide ? pairedRows(rows) : rows
  return (
    <section ref={box} aria-label={label} data-diff={isWide ? 'split' : 'unified'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <div tabIndex={0} className="diff-box">
        <table dir="ltr">
          <tbody>
            {shown.slice(0, most).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their order.
              <tr key={index}>{'changed' in row ? <Pair {...row} /> : <Single row={row} columns={isWide ? 6 : 4} />}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length > most && (
        <button type="button" onClick={() => setMost(shown.length)} className="mt-1 text-cloud text-sm underline underline-offset-4">
          {words.approval.allLines(shown.length)}
        </button>
      )}
    </section>
  )
}

function Pair({ left, right, changed }: { left: DiffLine | null; right: DiffLine | null; changed: boolean }) {
  return (
    <>
      <Side line={left} sign={changed && left ? '−' : ' '} />
      <Side line={right} sign={changed && right ? '+' : ' '} />
    </>
  )
}

function Side({ line, sign }: { line: DiffLine | null; sign: '−' | '+' | ' ' }) {
  return (
    <>
      <td className="diff-number">{line?.number}</td>
      <Text sign={sign} half>
        {line === null ? null : shownText(line.text)}
      </Text>
    </>
  )
}

function Single({ row, columns }: { row: DiffRow; columns: number }) {
  switch (row.kind) {
    case 'gap':
    case 'note':
      return (
        <td colSpan={columns} className="diff-gap">
          {row.kind === 'gap' ? '⋯' : visibleInApproval(row.text)}
        </td>
      )
    case 'same':
    case 'removed':
    case 'added':
      return (
        <>
          <td className="diff-number">{row.kind === 'added' ? null : row.left.number}</td>
          <td className="diff-number">{row.kind === 'removed' ? null : row.right.number}</td>
          <Text sign={row.kind === 'same' ? ' ' : row.kind === 'added' ? '+' : '−'}>
            {shownText(row.kind === 'added' ? row.right.text : row.left.text)}
          </Text>
        </>
      )
  }
}

const tones = { '+': 'bg-good-soft text-good', '−': 'bg-bad-soft text-bad', ' ': 'text-soft' } as const

function Text({ sign, half = false, children }: { sign: keyof typeof tones; half?: boolean; children: ReactNode }) {
  return (
    <>
      <td className={`diff-sign ${tones[sign]}`}>{sign}</td>
      <td className={`${half ? 'diff-half' : 'diff-text'} ${tones[sign]}`}>{children}</td>
    </>
  )
}

function shownText(text: string): string {
  return visibleInApproval(text).replace(/\r$/, '␍')
}
