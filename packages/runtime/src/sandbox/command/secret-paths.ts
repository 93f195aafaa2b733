// Where programs store credentials. No build needs them, and an approved command could send them away.
import { join } from 'node:path'
import { isInside } from '../../path/inside.ts'

const below = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.netrc',
  '.git-credentials',
  '.docker/config.json',
  '.config/gcloud',
  '.config/gh',
  '.password-store',
  '.local/share/keyrings',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  'Library/Keychains',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
  'Library/Application Support/BraveSoftware',
  'Library/Application Support/Microsoft Edge',
] as const

/** All of them except those that contain the workspace or a root of the policy: listing one is deliberate. */
export function secretPaths(home: string, named: readonly string[]): string[] {
  return below.map((name) => join(home, name)).filter((place) => !named.some((folder) => isInside(folder, place)))
}
