// A failure contract in plain words: what happened, to what, and what to do.
import type { FailureContract } from '@tandem/contract/failure'
import { words } from '../strings/window.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'

export function Failure({ contract }: { contract: FailureContract }) {
  const { taxonomy, stage, source, reason_code, recoverability, details } = contract
  return (
    <div className="space-y-2 rounded-md border border-line bg-bad-soft px-3 py-2.5">
      <p className="whitespace-pre-wrap break-words">
        <strong className="font-medium text-bad">{words.failure.taxonomy[taxonomy]}</strong> {visibleSentence(details.message)}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-sm">
        <dt className="text-soft">{words.failure.remedy}</dt>
        <dd>{details.remedy ? visibleText(details.remedy) : words.failure.recoverability[recoverability]}</dd>
        {details.subject !== undefined && (
          <>
            <dt className="text-soft">{words.failure.subject}</dt>
            <dd className="wrap-anywhere font-mono text-[13px]">{visibleText(details.subject)}</dd>
          </>
        )}
        <dt className="text-soft">{words.failure.at}</dt>
        <dd className="wrap-anywhere">
          {source === stage ? '' : `${visibleText(source)}, `}
          {nameOf(words.failure.stages, stage)}
        </dd>
        <dt className="text-soft">{words.failure.code}</dt>
        <dd className="wrap-anywhere">
          <code>{reason_code}</code>
        </dd>
        {(details.facts ?? []).map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-soft">{nameOf(words.failure.facts, name)}</dt>
            <dd className="wrap-anywhere">{visibleText(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** A name of a newer version is shown in words. */
function nameOf(names: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : visibleText(name).replaceAll('_', ' ')
}
