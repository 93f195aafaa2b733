// Any JSON, expanded level by level.
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { LongText } from './long-text.tsx'

const mostChildren = 200

export function JsonTree({ value }: { value: unknown }) {
  return (
    <div translate="no" className="font-mono text-[13px] leading-6">
      <Node value={value} depth={0} />
    </div>
  )
}

function Node({ name, value, depth }: { name?: string; value: unknown; depth: number }) {
  const label = name === undefined ? null : <span className="text-cloud">{visibleText(name)}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="break-words">
        {label}
        <Leaf value={value} />
      </div>
    )
  }
  const children = Object.entries(value)
  const kind = Array.isArray(value) ? `[${children.length}]` : `{${children.length}}`
  if (children.length === 0) {
    return (
      <div>
        {label}
        <span className="text-faint">{kind}</span>
      </div>
    )
  }
  return (
    <details open={depth < 4 && children.length <= 20}>
      <summary className="rounded">
        {label}
        <span className="text-faint">{kind}</span>
      </summary>
      <div className="border-line border-l pl-4">
        {children.slice(0, mostChildren).map(([key, child]) => (
          <Node key={key} name={key} value={child} depth={depth + 1} />
        ))}
        {children.length > mostChildren && <p className="text-faint">{words.result.more(children.length - mostChildren)}</p>}
      </div>
    </details>
  )
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value !== 'string') return <span className="text-desktop">{String(value)}</span>
  if (value.includes('\n') || value.length > 300) return <LongText text={value} />
  return <span className="whitespace-pre-wrap break-all">“{visibleText(value)}”</span>
}
