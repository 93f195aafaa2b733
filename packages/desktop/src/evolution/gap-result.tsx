// What came of a gap that is no matter of skills: a memory or a policy candidate, or a source to add, with what the user can do about it.
import type { GapResult as Result, SkillGapAnalysis } from '@tandem/contract/learning'
import { useState } from 'react'
import { followLink, learningAddress, sourceAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { candidateTones } from '../learning/tones.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { evolutionWords } from '../strings/evolution.ts'
import { learningWords } from '../strings/learning.ts'
import { visibleText } from '../text/visible.ts'

const told = evolutionWords.gaps.results

interface Props {
  readonly gap: Pick<SkillGapAnalysis, 'agent_id'>
  readonly result: Result
  onChanged(): Promise<void>
}

export function GapResult({ gap: { agent_id }, result, onChanged }: Props) {
  if (result.kind === 'nothing') return <p className="mt-2 text-soft text-sm">{told.nothing(result.because)}</p>
  return (
    <div className="mt-3 rounded-lg border border-line px-3 py-2.5 text-sm">
      {result.kind === 'memory' && <Memory result={result} onChanged={onChanged} />}
      {result.kind === 'policy' && <Policy result={result} />}
      {result.kind === 'source' && <Source result={result} agent_id={agent_id} onChanged={onChanged} />}
    </div>
  )
}

function Title({ title, state, tone = 'plain' }: { readonly title: string; readonly state: string; readonly tone?: Tone }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-faint">
      {title} <Badge tone={tone}>{state}</Badge>
    </p>
  )
}

type Of<Kind extends Result['kind']> = Extract<Result, { kind: Kind }>

function Memory({ result: { candidate_id, content, state }, onChanged }: { readonly result: Of<'memory'>; onChanged(): Promise<void> }) {
  const client = useRuntimeClient()
  const [isBusy, setBusy] = useState(false)
  const text = visibleText(content)
  const decide = async (doing: 'commit' | 'dismiss') => {
    setBusy(true)
    await client.call(learningWords.doing[doing], `memory_${doing}_writeback_candidate`, { candidate_id })
    setBusy(false)
    await onChanged()
  }
  const words = learningWords.memories
  return (
    <>
      <Title title={told.memory} state={words.states[state]} tone={state === 'committed' ? 'good' : 'plain'} />
      <p className="mt-1 break-words">{text}</p>
      {state === 'pending' && (
        <div className="mt-2 flex flex-wrap gap-2">
          <PrimaryButton disabled={isBusy} aria-label={words.commitOf(text.slice(0, 80))} onClick={() => decide('commit')}>
            {words.commit}
          </PrimaryButton>
          <Button disabled={isBusy} aria-label={words.dismissOf(text.slice(0, 80))} onClick={() => decide('dismiss')}>
            {words.dismiss}
          </Button>
        </div>
      )}
    </>
  )
}

function Policy({ result: { candidate_id, title, state } }: { readonly result: Of<'policy'> }) {
  return (
    <>
      <Title title={told.policy} state={learningWords.candidates.states[state]} tone={candidateTones[state]} />
      <p className="mt-1 max-w-2xl break-words">
        <a href={learningAddress('candidates', candidate_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
          {visibleText(title)}
        </a>
      </p>
    </>
  )
}

interface SourceProps {
  readonly result: Of<'source'>
  readonly agent_id: string
  onChanged(): Promise<void>
}

function Source({ result: { path, source_id }, agent_id, onChanged }: SourceProps) {
  const client = useRuntimeClient()
  const [isBusy, setBusy] = useState(false)
  const add = async () => {
    setBusy(true)
    await client.call(evolutionWords.doing.addSource, 'kb_add', { path, owner: { kind: 'agent', agent_id } })
    setBusy(false)
    await onChanged()
  }
  return (
    <>
      <Title title={told.source} state={source_id === null ? told.proposed : told.added} />
      <p className="mt-1 break-all font-mono">{visibleText(path)}</p>
      {source_id === null ? (
        <PrimaryButton className="mt-2" disabled={isBusy} aria-label={told.addOf(visibleText(path))} onClick={add}>
          {told.add}
        </PrimaryButton>
      ) : (
        <a href={sourceAddress(source_id)} onClick={followLink} className="mt-1 inline-block text-cloud underline underline-offset-4">
          {told.openSource}
        </a>
      )}
    </>
  )
}
