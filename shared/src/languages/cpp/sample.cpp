#include <vector>

namespace fmt {
namespace detail {

/// A buffer.
template <typename T>
class Buffer : public Base {
 public:
  explicit Buffer(int size);
  ~Buffer();
  T pop() const { return data_[0]; }
  virtual void grow() = 0;
  bool operator==(const Buffer& other);

 private:
  int size_;
};

template <typename T>
void Buffer<T>::grow() {
  int local = 1;
}

using Size = int;
enum class Color { red, green };
template <typename T> concept Small = sizeof(T) < 8;
extern "C" int c_function(void);

}  // namespace detail
}  // namespace fmt
