// What a reflection recommends, with the way to decide about it.
import type { Reflection } from '@tandem/contract/learning'
import type { ReactNode } from 'react'
import { draftAddress, followLink, learningAddress } from '../address.ts'
import { learningWords } from '../strings/learning.ts'
import { visibleText } from '../text/visible.ts'

const told = learningWords.reflections

export function recommendationRows(reflection: Reflection): readonly (readonly [string, ReactNode])[] {
  const { recommended_memory_writeback: memory, recommended_policy_update: policy } = reflection
  const { recommended_workflow_extraction: workflow, recommended_skill_gap_analysis: gap, run_id } = reflection
  return [
    ...(policy ? [[told.policy, <PolicyUpdate key="policy" {...policy} />] as const] : []),
    ...(memory ? [[told.memory, <Linked key="memory" text={memory.content} section="memories" />] as const] : []),
    ...(workflow ? [[told.workflow, <Workflow key="workflow" run_id={run_id} rationale={workflow.rationale} />] as const] : []),
    ...(gap ? [[told.gap, `${learningWords.gaps[gap.gap_kind]}. ${visibleText(gap.rationale)}`] as const] : []),
  ]
}

function PolicyUpdate({ title }: { title: string }) {
  return <Linked text={title} section="candidates" />
}

function Linked({ text, section }: { text: string; section: 'memories' | 'candidates' }) {
  return (
    <>
      {visibleText(text)}{' '}
      <a href={learningAddress(section)} onClick={followLink} className="whitespace-nowrap text-cloud underline underline-offset-4">
        {learningWords.sections[section]}
      </a>
    </>
  )
}

function Workflow({ run_id, rationale }: { run_id: string; rationale: string }) {
  return (
    <>
      {visibleText(rationale)}{' '}
      <a href={draftAddress(run_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
        {told.makeWorkflow}
      </a>
    </>
  )
}
