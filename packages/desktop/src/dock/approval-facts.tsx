// What to know before answering: warnings and what can be undone are visible, everything else is in Details.
import type { ApprovalPrompt } from '@tandem/contract/run'
import { changingLayers, ignoredLayers } from '@tandem/contract/tool'
import type { ReactNode } from 'react'
import { words } from '../strings/window.ts'
import { visibleInApproval } from '../text/visible.ts'
import { RawArguments } from './raw-arguments.tsx'

export function Warnings({ texts }: { texts: readonly string[] }) {
  return (
    <section aria-label={words.approval.warnings} className="mb-2 rounded-md bg-bad-soft px-3 py-2 text-bad text-sm">
      <Lines texts={texts} />
    </section>
  )
}

export function ApprovalFacts({ approval }: { approval: ApprovalPrompt }) {
  const { touches, unprotected, notes = [], preview } = approval
  const facts = [
    ...(notes.length > 0 ? [<Fact key="notes" name={words.approval.notes} texts={notes} />] : []),
    // A preview already shows what is affected.
    ...(preview === undefined && touches.length > 0 ? [<Fact key="touches" name={words.approval.touches} texts={touches} />] : []),
    ...(approval.protected.length > 0
      ? [<Fact key="protected" name={words.approval.protectedBy} texts={approval.protected} tone="text-good" />]
      : []),
    ...(unprotected.length > 0 ? [<Fact key="unprotected" name={words.approval.unprotected} texts={unprotected} tone="text-bad" />] : []),
  ]
  return facts.length === 0 ? null : <Facts>{facts}</Facts>
}

/** Open by default if nothing else shows what the call does. */
export function Details({ approval }: { approval: ApprovalPrompt }) {
  const { working_directory, touches, policy_layers, fingerprint, preview } = approval
  const [changed, ignored] = [changingLayers(policy_layers), ignoredLayers(policy_layers)]
  const isAll = preview === undefined || preview.kind === 'mcp' || preview.kind === 'fails'
  return (
    <details open={isAll} className="mt-2 text-sm">
      <summary className="details-summary w-fit cursor-pointer text-soft">{words.approval.details}</summary>
      <div className="mt-1.5 space-y-2">
        <RawArguments text={approval.arguments} />
        <Facts>
          {working_directory !== null && <Fact name={words.approval.where} texts={[working_directory]} />}
          {preview !== undefined && touches.length > 0 && <Fact name={words.approval.touches} texts={touches} />}
          {changed !== null && <Fact name={words.approval.policyChanged} texts={[changed]} />}
          {ignored !== null && <Fact name={words.approval.layersIgnored} texts={[words.approval.whyIgnored(ignored)]} />}
          <Fact name={words.approval.fingerprint} texts={[fingerprint]} />
        </Facts>
      </div>
    </details>
  )
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="mt-2 grid gap-x-4 text-sm sm:grid-cols-[8.5rem_minmax(0,1fr)] sm:gap-y-1">{children}</dl>
}

function Fact({ name, texts, tone = '' }: { name: string; texts: readonly string[]; tone?: string }): ReactNode {
  return (
    <>
      <dt className="mt-1.5 text-faint sm:mt-0">{name}</dt>
      <dd className={`min-w-0 ${tone}`}>
        <Lines texts={texts} />
      </dd>
    </>
  )
}

function Lines({ texts }: { texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text) => (
        <li key={text} className="break-words">
          <bdi>{visibleInApproval(text)}</bdi>
        </li>
      ))}
    </ul>
  )
}
