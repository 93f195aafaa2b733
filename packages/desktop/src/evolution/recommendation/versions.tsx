// Every version of a text, and what changed between any two of them.
import type { SkillVersion } from '@tandem/contract/skill-recommendation'
import { useState } from 'react'
import { Badge } from '../../part/badge.tsx'
import { Fold } from '../../part/fold.tsx'
import { Panel } from '../../part/section.tsx'
import { SideBySide } from '../../part/side-by-side.tsx'
import { LongText } from '../../result/long-text.tsx'
import { evolutionWords } from '../../strings/evolution.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'
import { versionDiff } from './version-diff.ts'

const told = evolutionWords.versions

/** `versions` are newest first. */
export function Versions({ versions, current }: { versions: readonly SkillVersion[]; current: string | null }) {
  if (versions.length === 0) return <p className="text-soft">{told.none}</p>
  return (
    <>
      <Panel className="overflow-hidden">
        {versions.map((version) => (
          <Fold key={version.id} summary={<Summary version={version} isCurrent={version.id === current} />}>
            {() => <LongText text={version.content} />}
          </Fold>
        ))}
      </Panel>
      <div className="mt-4">
        {versions.length > 1 ? <Comparison versions={versions} /> : <p className="text-faint text-sm">{told.one}</p>}
      </div>
    </>
  )
}

function Summary({ version, isCurrent }: { version: SkillVersion; isCurrent: boolean }) {
  const { skill_version, summary, created_at, live_at, ended_at } = version
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <span className="font-medium">{evolutionWords.text.version(skill_version)}</span>
        {isCurrent && <Badge tone="good">{told.current}</Badge>}
        <span className="min-w-0 break-words text-soft">{visibleText(summary)}</span>
      </span>
      <span className="mt-0.5 block text-faint text-sm">
        {[
          formatTime(created_at),
          ...(live_at === null ? [] : [told.live(formatTime(live_at))]),
          ...(ended_at === null ? [] : [told.ended(formatTime(ended_at))]),
        ].join(' · ')}
      </span>
    </>
  )
}

function Comparison({ versions }: { versions: readonly SkillVersion[] }) {
  const [chosen, setChosen] = useState<{ readonly from?: string; readonly to?: string }>({})
  const of = (id: string | undefined, or: number) => versions.find((one) => one.id === id) ?? versions[or]
  const [from, to] = [of(chosen.from, 1), of(chosen.to, 0)]
  if (!from || !to) return null
  const diff = versionDiff(from.content, to.content)
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Select label={told.from} versions={versions} value={from.id} onChange={(id) => setChosen({ ...chosen, from: id })} />
        <Select label={told.to} versions={versions} value={to.id} onChange={(id) => setChosen({ ...chosen, to: id })} />
      </div>
      {diff === null ? (
        <p className="text-soft">{told.tooLarge}</p>
      ) : diff === '' ? (
        <p className="text-soft">{told.same}</p>
      ) : (
        <SideBySide key={`${from.id} ${to.id}`} diff={diff} label={told.diff(from.skill_version, to.skill_version)} />
      )}
    </>
  )
}

interface SelectProps {
  readonly label: string
  readonly versions: readonly SkillVersion[]
  readonly value: string
  onChange(id: string): void
}

function Select({ label, versions, value, onChange }: SelectProps) {
  return (
    <label className="flex min-w-0 items-center gap-2 text-faint text-sm">
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)} className="field min-w-0 max-w-72 py-1 text-ink">
        {versions.map(({ id, skill_version, created_at }) => (
          <option key={id} value={id}>
            {told.option(skill_version, formatTime(created_at))}
          </option>
        ))}
      </select>
    </label>
  )
}
