// PostgreSQL refuses to run as root. As root, we start it in a user namespace where root is another user, or as another user.
import { constants } from 'node:fs'
import { access, chmod, chown, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** How a PostgreSQL program is started: arguments before its own, and the user to run as. */
export interface ProcessIdentity {
  readonly prefix: readonly string[]
  readonly uid?: number
  readonly gid?: number
}

export interface SystemAccount {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

export const currentIdentity: ProcessIdentity = { prefix: [] }

/** initdb looks up its user by id, so the namespace must have one that /etc/passwd contains. */
export function namespaceIdentity(account: SystemAccount): ProcessIdentity {
  return { prefix: ['unshare', '-U', `--map-user=${account.uid}`, `--map-group=${account.gid}`] }
}

export function userIdentity(account: Pick<SystemAccount, 'uid' | 'gid'>): ProcessIdentity {
  return { prefix: [], uid: account.uid, gid: account.gid }
}

/** `postgres` if the machine has it, then `nobody`, then any ordinary account. */
export function chooseAccount(passwd: string): SystemAccount | undefined {
  const accounts = passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
  return accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody') ?? accounts[0]
}

export async function readAccount(): Promise<SystemAccount | undefined> {
  return chooseAccount(await readFile('/etc/passwd', 'utf8'))
}

/** Lets `account` traverse the data folder (not read it); false if a parent folder denies access. */
export async function allowTraversal(dir: string, account: SystemAccount): Promise<boolean> {
  await chmod(dir, 0o711)
  for (let folder = dirname(await realpath(dir)); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** A folder owned by the account, if it cannot access the data folder. */
export async function createAccountFolder(account: SystemAccount, name: string): Promise<string> {
  const home = '/var/lib/tandem'
  await mkdir(home, { recursive: true, mode: 0o711 })
  await access(home, constants.W_OK)
  const room = join(home, name)
  await mkdir(room, { recursive: true, mode: 0o700 })
  await chown(room, account.uid, account.gid)
  return room
}
