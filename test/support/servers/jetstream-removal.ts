/** nats-server 2.9 says "directory not empty" when a file comes in while it removes one; the thing is gone all the same. */
export const removal = async (asked: Promise<boolean>): Promise<boolean> => {
  try {
    return await asked;
  } catch (error) {
    if (!String(error).includes("directory not empty")) throw error;
    return true;
  }
};
