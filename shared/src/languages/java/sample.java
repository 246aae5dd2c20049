package a.b;

import a.b.C;
import static a.b.D.*;

/** Keeps values. */
@Entity
public final class Cache<T> extends Base implements Store {
  private static final int MAX = 1, MIN = 2;
  private String name;

  public Cache(int size) {
    int local = size;
  }

  @Override
  public int load(int key) throws IOException {
    return 1;
  }

  enum State { OPEN, CLOSED }
}

interface Store { int load(int key); }
record Point(int x, int y) {}
@interface Marker { String value(); }
