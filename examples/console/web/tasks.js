// @ts-check
// Long work in short tasks: the browser draws and answers between them.

/**
 * Ends the present task. The caller goes on in one of its own.
 *
 * @returns {Promise<void>}
 */
export function nextTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
