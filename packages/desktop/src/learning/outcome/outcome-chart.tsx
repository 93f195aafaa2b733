// Outcomes over time. Each point is a link to its run, with its own shape: colors are not needed to read it.
import type { OutcomeVerdict } from '@tandem/contract/learning'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { callAddress, goTo } from '../../address.ts'
import { useWindowState } from '../../client/use-client.ts'
import { learningWords } from '../../strings/learning.ts'
import { visibleName } from '../../text/name.ts'
import { formatTime } from '../../text/time.ts'
import { type ChartPoint, chartHeight, chartMargin, reasonsOf, yOf } from './chart.ts'

const told = learningWords.outcomes
const gridLines = [0, 0.5, 1]
const colors: Readonly<Record<OutcomeVerdict, string>> = { success: 'text-good', partial: 'text-warn', failure: 'text-bad' }

interface Props {
  readonly label: string
  pointsOf(width: number): readonly ChartPoint[]
}

export function OutcomeChart({ label, pointsOf }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(640)
  const runs = useWindowState((state) => state.runs)
  useLayoutEffect(() => {
    const { current } = frame
    if (!current) return
    setWidth(current.clientWidth)
    const sized = new ResizeObserver(() => setWidth(current.clientWidth))
    sized.observe(current)
    return () => sized.disconnect()
  }, [])
  const points = pointsOf(width)
  const [current, setCurrent] = useState<string | null>(null)
  const found = points.findIndex(({ evaluation }) => evaluation.id === current)
  const at = found === -1 ? points.length - 1 : found
  const textOf = ({ evaluation, score }: ChartPoint) => {
    const title = visibleName(runs.get(evaluation.run_id)?.title ?? told.unnamed)
    return told.point(learningWords.verdicts[evaluation.verdict], score, formatTime(evaluation.created_at), title)
  }
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: points.length - 1 }[event.key]
    const point = next === undefined ? undefined : points[next]
    if (!point) return
    event.preventDefault()
    setCurrent(point.evaluation.id)
    frame.current?.querySelector<SVGAElement>(`[data-point="${CSS.escape(point.evaluation.id)}"]`)?.focus()
  }
  const shown = points[at]
  const reasons = shown ? reasonsOf(shown.evaluation) : []
  const line = points.map(({ x, y }) => `${x},${y}`).join(' ')
  return (
    <div ref={frame} className="min-w-0">
      {/* biome-ignore lint/a11y/useSemanticElements: a picture cannot be a fieldset. */}
      <svg role="group" aria-label={label} width={width} height={chartHeight} className="block max-w-full" onKeyDown={onKeyDown}>
        {gridLines.map((score) => (
          <g key={score} className="text-line-strong forced-colors:text-[color:GrayText]">
            <line
              x1={chartMargin.left - 8}
              x2={width - 4}
              y1={yOf(score)}
              y2={yOf(score)}
              stroke="currentColor"
              strokeDasharray={score === 0.5 ? '3 4' : undefined}
            />
            <text x={chartMargin.left - 14} y={yOf(score) + 4} textAnchor="end" className="fill-(--ink-faint)" fontSize="11">
              {learningWords.percent(score)}
            </text>
          </g>
        ))}
        <polyline
          points={line}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          className="text-faint forced-colors:text-[color:CanvasText]"
        />
        {points.map((point, index) => (
          <a
            key={point.evaluation.id}
            data-point={point.evaluation.id}
            href={callAddress(point.evaluation.conversation_id, {})}
            aria-label={[textOf(point), ...reasonsOf(point.evaluation).map(({ reason }) => visibleName(reason))].join('. ')}
            tabIndex={index === at ? 0 : -1}
            onFocus={() => setCurrent(point.evaluation.id)}
            onMouseEnter={() => setCurrent(point.evaluation.id)}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
              event.preventDefault()
              goTo(callAddress(point.evaluation.conversation_id, {}))
            }}
            className={`${colors[point.evaluation.verdict]} forced-colors:text-[color:CanvasText]`}
          >
            <rect x={point.x - 8} y={point.y - 12} width="16" height="24" fill="transparent" />
            <Mark {...point} isCurrent={index === at} />
          </a>
        ))}
      </svg>
      <div className="mt-1 min-h-12 text-sm">
        {shown && (
          <>
            <p className="break-words font-medium">{textOf(shown)}</p>
            <p className="break-words text-soft">{reasons.map(({ reason }) => visibleName(reason)).join(' ')}</p>
          </>
        )}
      </div>
    </div>
  )
}

/** A circle, a triangle or a square. */
function Mark({ evaluation: { verdict }, x, y, isCurrent }: ChartPoint & { isCurrent: boolean }) {
  const size = isCurrent ? 6.5 : 5
  const common = { fill: 'currentColor', stroke: 'var(--surface)', strokeWidth: 1.5 }
  if (verdict === 'success') return <circle cx={x} cy={y} r={size} {...common} />
  if (verdict === 'partial') return <path d={`M${x} ${y - size - 1}L${x + size + 1} ${y + size}H${x - size - 1}Z`} {...common} />
  return <rect x={x - size} y={y - size} width={2 * size} height={2 * size} {...common} />
}
