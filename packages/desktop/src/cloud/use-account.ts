import { useCommand, useNewest } from '../desk/use-asked.ts'

export const syncChanges = /^sync_state_changed$/

/** The signed-in account, read again whenever the sync state changes. */
export function useAccount() {
  const account = useCommand('account_show', {}, { version: useNewest(syncChanges) })
  return { ...account, signedIn: account.asked.state === 'ready' && account.asked.value.account !== null }
}
