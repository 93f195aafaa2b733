// What a signed-in user can do with the account: change its password, manage its API keys, delete it.
import type { SignedInAccount } from '@tandem/contract/command'
import { useCommand } from '../client/use-request.ts'
import { ApiKeys } from './api-keys.tsx'
import { ChangePassword } from './change-password.tsx'
import { DeleteAccount } from './delete-account.tsx'

/** The server stores the last use of a key at most once per minute. */
const usesEvery_ms = 60_000

export function AccountSettings({ account, onDeleted }: { account: SignedInAccount; onDeleted(): Promise<void> }) {
  const keys = useCommand('account_key_list', { limit: 200 }, { every_ms: usesEvery_ms })
  return (
    <>
      <ApiKeys reading={keys} />
      <ChangePassword onChanged={keys.reload} />
      <DeleteAccount account={account} onDeleted={onDeleted} />
    </>
  )
}
