// What an approval would touch, what a checkpoint covers, and what «always» would mean.
import type { ApprovalPrompt } from '@tandem/contract/run'
import { changingLayers, ignoredLayers } from '@tandem/contract/tool'
import type { ReactNode } from 'react'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

export function ApprovalFacts({ approval }: { approval: ApprovalPrompt }) {
  const { working_directory, touches, unprotected, remembers, warnings, notes = [], tool, policy_layers } = approval
  const [changed, ignored] = [changingLayers(policy_layers), ignoredLayers(policy_layers)]
  return (
    <>
      {warnings.length > 0 && (
        <div className="mt-2 rounded-md bg-warn-soft px-3 py-2 text-warn">
          <p className="font-medium text-sm">{words.approval.warnings}</p>
          <Lines texts={warnings} />
        </div>
      )}
      <dl className="mt-2 grid gap-x-4 text-sm sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-y-1">
        {notes.length > 0 && <Fact name={words.approval.notes} texts={notes} />}
        {working_directory !== null && <Fact name={words.approval.where} texts={[working_directory]} />}
        {touches.length > 0 && <Fact name={words.approval.touches} texts={touches} />}
        {approval.protected.length > 0 && <Fact name={words.approval.protectedBy} texts={approval.protected} tone="text-good" />}
        {unprotected.length > 0 && <Fact name={words.approval.unprotected} texts={unprotected} tone="text-bad" />}
        {changed !== null && <Fact name={words.approval.policyChanged} texts={[changed]} />}
        {ignored !== null && <Fact name={words.approval.layersIgnored} texts={[ignored]} />}
        {remembers.length > 0 && <Fact name={words.approval.remembers} texts={remembers.map((rule) => ruleText(rule, tool))} />}
      </dl>
    </>
  )
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
          <bdi>{visibleText(text)}</bdi>
        </li>
      ))}
    </ul>
  )
}

function ruleText(rule: ApprovalPrompt['remembers'][number], tool: string): string {
  switch (rule.kind) {
    case 'tool':
      return words.approval.everyCall(tool)
    case 'command':
      return words.approval.command(rule.words.join(' '), rule.folder, rule.instructions !== undefined)
    case 'path':
      return words.approval.path(rule.path)
    case 'host':
      return words.approval.host(rule.host, rule.does)
  }
}
