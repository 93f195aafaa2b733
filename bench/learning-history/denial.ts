// A call that the user did not allow.
import type { FailureContract } from '../../packages/contract/src/failure/index.ts'
import type { Action } from './action.ts'
import type { World } from './world.ts'

export type Noise = (world: World) => readonly Action[] | Promise<readonly Action[]>

export function denial(world: World, source: string, subject: string): FailureContract {
  return {
    taxonomy: 'none',
    stage: 'approval',
    source,
    reason_code: 'denied_by_user',
    recoverability: 'user_action',
    details: { message: world.say('The user denied this call.', 'Der Aufruf wurde abgelehnt.'), subject },
  }
}
