// Why a call failed, in the terminal of the user.
import type { RunStep } from '@tandem/contract/run'
import { sentence } from '@tandem/contract/text'

type CallResult = Extract<RunStep, { kind: 'tool.result' }>

const denial = /^the user denied the call(?:: )?/

/** The reason that the user gave; empty if there is none. Null if the call was not denied. */
export function denialReason({ failure_contract }: Pick<CallResult, 'failure_contract'>): string | null {
  return failure_contract?.reason_code === 'denied_by_user' ? failure_contract.details.message.replace(denial, '') : null
}

/** Most remedies are for the model, which reads them and acts; the user needs those that only users can follow. */
export function failureText(step: Pick<CallResult, 'failure_contract'>): string {
  const reason = denialReason(step)
  if (reason !== null) return reason === '' ? 'You denied this call.' : `You denied this call: ${sentence(reason)}`
  if (!step.failure_contract) return ''
  const { details, recoverability } = step.failure_contract
  return `${sentence(details.message)} ${recoverability === 'user_action' ? (details.remedy ?? '') : ''}`.trim()
}
