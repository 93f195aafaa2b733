// What remembering costs, what may be remembered, what agents do differently, how procedures are distilled, and forgetting everything about the user.
import { useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import type { ReadRequest } from '../../client/use-request.ts'
import { AskFirst } from '../../part/form/ask-first.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Section } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { Forgotten, type WhatRemains } from '../forget.tsx'
import { AgentChoices } from './agent-choices.tsx'
import { BackgroundUse } from './background-use.tsx'
import { ProceduralPolicies } from './procedural-policies.tsx'
import { Remembering } from './remembering.tsx'
import type { MemoryStatus } from './status-notes.tsx'

const told = memoryWords.options

export function Options({ status }: { status: ReadRequest<MemoryStatus> }) {
  return (
    <>
      <Section title={told.cost} lead={told.costLead}>
        <BackgroundUse status={status} />
      </Section>
      <Section title={told.remembering} lead={told.rememberingLead}>
        <RequestResult reading={status}>{({ excluded }) => <Remembering excluded={excluded} onChanged={status.reload} />}</RequestResult>
      </Section>
      <Section title={told.perAgent} lead={told.perAgentLead}>
        <AgentChoices />
      </Section>
      <Section title={told.policies} lead={told.policiesLead}>
        <ProceduralPolicies />
      </Section>
      <ForgetEverything onDone={status.reload} />
    </>
  )
}

function ForgetEverything({ onDone }: { onDone(): void }) {
  const client = useRuntimeClient()
  const [remains, setRemains] = useState<WhatRemains | null>(null)
  const forget = async () => {
    const answer = await client.call(memoryWords.doing.forgetAll, 'memory_forget_user', {})
    if (answer.ok) setRemains(answer.value)
    onDone()
  }
  return (
    <Section title={told.forgetAll} lead={told.forgetAllLead}>
      <Forgotten what={remains} />
      <AskFirst name={told.forgetAll} label={told.forgetAll} question={told.forgetAllSure} yes={told.forgetAllYes} act={forget} />
    </Section>
  )
}
