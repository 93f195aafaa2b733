import type { Identity } from '../account/account.ts'
import type { ApiKeys } from '../account/keys.ts'
import { sessionOf, toOutcome, withUncertainNote } from '../feature/cloud-outcome.ts'
import type { CommandTable } from '../feature/command-table.ts'

export interface KeyFeature {
  service(): Promise<ApiKeys>
  who(): Identity | null
}

export function keyHandlers({ service, who }: KeyFeature): CommandTable {
  return {
    async account_key_list(page) {
      const session = sessionOf(who())
      return session.ok ? toOutcome(await (await service()).list(page), (list) => list) : session
    },
    async account_key_create(request) {
      const session = sessionOf(who())
      if (!session.ok) return session
      const answer = await (await service()).create(request)
      return withUncertainNote(
        toOutcome(answer, (created) => created),
        'The key may have been created. If the list has a key with this name that you do not have, revoke it and create another one.',
      )
    },
    async account_key_revoke({ key_id }) {
      const session = sessionOf(who())
      return session.ok ? toOutcome(await (await service()).revoke(key_id), () => ({ key_id })) : session
    },
  }
}
