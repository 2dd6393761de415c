/** A store's location for showing: the password of a DSN is left out. */
export function shownLocation(location: string): string {
  return location.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/@:]*):[^/@]*@/i, "$1:***@");
}
