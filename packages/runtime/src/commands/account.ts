import type { CommandErrorCode, SignedInAccount } from '@tandem/contract/command'
import type { Identity, SignInOutcome } from '../account/account.ts'
import type { AccountService } from '../account/service.ts'
import { fieldsOf, sessionOf, toOutcome, withUncertainNote } from '../feature/cloud-outcome.ts'
import type { CommandTable } from '../feature/command-table.ts'
import type { FieldProblem, Outcome } from '../feature/outcome.ts'

export interface AccountFeature {
  /** Opened on first use: without an account, none of it is loaded. */
  service(): Promise<AccountService>
  who(): Identity | null
  /** The owner of the data on this device. */
  owner(): Promise<string | null>
}

export function accountHandlers({ service, who, owner }: AccountFeature): CommandTable {
  return {
    async account_show() {
      const identity = who()
      return { ok: true, value: { account: identity && shown(identity), data_of: await owner() } }
    },
    async account_sign_in(request) {
      const before = who()
      if (before?.ended === null) {
        const message = `${before.email} is signed in at ${before.cloud_url}: sign out first`
        return { ok: false, code: 'transition_refused', message }
      }
      const outcome = await (await service()).signIn(request)
      if (outcome.ok) return { ok: true, value: { account: shown(outcome.identity) } }
      return { ok: false, code: codeOf(outcome.code), message: outcome.message, fields: signInFields(outcome) }
    },
    account_sign_out: async (request) => await (await service()).signOut(request),
    async account_change_password(passwords) {
      const session = sessionOf(who())
      if (!session.ok) return session
      const answer = await (await service()).changePassword(passwords)
      return withUncertainNote(
        atPassword(
          'current_password',
          toOutcome(answer, () => ({ account: shown(session.value) })),
        ),
        'The password may have been changed. Try again; if the current password is refused, the new one is valid.',
      )
    },
    async account_delete({ password }) {
      const session = sessionOf(who())
      if (!session.ok) return session
      const answer = await (await service()).deleteAccount(password)
      return withUncertainNote(
        atPassword(
          'password',
          toOutcome(answer, () => ({ local_data: 'kept' })),
        ),
        'The account may have been deleted. Try again; if it is deleted, this device is signed out and keeps its data.',
      )
    },
  }
}

function signInFields({ code, message, errors }: Extract<SignInOutcome, { ok: false }>): FieldProblem[] {
  if (code === 'invalid_address') return [{ field: 'cloud_url', message: 'must start with https://, or with http:// on this device' }]
  if (code === 'unreachable' || code === 'other_account') return []
  return fieldsOf({ code, detail: message, errors })
}

/** The cloud does not say which password is wrong: only one can be. */
function atPassword<Value>(field: string, outcome: Outcome<Value>): Outcome<Value> {
  return outcome.ok || outcome.code !== 'wrong_password'
    ? outcome
    : { ...outcome, fields: [{ field, message: 'is not the current password of the account' }] }
}

function codeOf(code: Extract<SignInOutcome, { ok: false }>['code']): CommandErrorCode {
  if (code === 'unreachable') return 'cloud_unreachable'
  if (code === 'other_account') return 'other_account'
  return code === 'invalid_address' || code === 'invalid_request' ? 'invalid_params' : 'sign_in_refused'
}

function shown({ cloud_url, user_id, email, ended }: Identity): SignedInAccount {
  return { cloud_url, user_id, email, ended }
}
