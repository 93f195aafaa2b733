// Where programs keep what opens other doors. No build needs them, and a command that was said yes to could send them away.
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

/** All of them but those that the workspace or a root of the policy lies in: whoever names one means it. */
export function secretPlaces(home: string, named: readonly string[]): string[] {
  return below.map((name) => join(home, name)).filter((place) => !named.some((folder) => isInside(folder, place)))
}
