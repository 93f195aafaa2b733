// Files that usually contain secrets. They are left out of a folder; a file that a person names by itself is read.

const secretNames = [
  /^\.env(?:\..+)?$/i,
  /\.env$/i,
  /^\.envrc$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/i,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)$/i,
  /^\.(?:netrc|pgpass|htpasswd|npmrc|pypirc|git-credentials|dockercfg|vault-token|boto)$/i,
  /^credentials(?:\.(?:json|ya?ml|toml|ini|csv))?$/i,
  /^(?:client_secret|service[-_]account|secrets?)(?:[-_.].*)?\.(?:json|ya?ml|toml|ini|env)$/i,
  /\.tf(?:state(?:\.backup)?|vars)$/i,
  /^kubeconfig$/i,
]

/** Examples of such files are written to be read. */
const examples = /\.(?:example|sample|template|dist)$/i

/** Folders of credentials, wherever they are: for example in a copy of a home folder. */
const secretFolders = /(?:^|\/)\.(?:ssh|gnupg|aws|azure|kube|password-store)\//

export function isInSecretFolder(path: string): boolean {
  return secretFolders.test(path)
}

export function mayHoldSecrets(name: string): boolean {
  return !examples.test(name) && secretNames.some((pattern) => pattern.test(name))
}
